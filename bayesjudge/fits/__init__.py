"""Modes, covariances, Laplace approximations and posteriors of any program."""
