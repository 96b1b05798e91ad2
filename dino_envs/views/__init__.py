"""The views: PettingZoo, Gymnasium and batched projections of one engine."""
