"""The causal graph neural network."""
