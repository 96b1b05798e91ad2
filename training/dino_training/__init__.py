"""Learns: MaskablePPO on a batch of games, with opponents inside the batch."""
