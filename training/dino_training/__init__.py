"""Learns: PPO or DQN on a batch of games, with opponents inside the batch."""

import os

# PyTorch's threads otherwise spin while they wait for each other. With another program on the
# machine that made training ten times slower. It must be set before PyTorch is imported.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
