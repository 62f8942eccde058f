"""Studies of what a model does: omitted biases, simulations, baselines."""
