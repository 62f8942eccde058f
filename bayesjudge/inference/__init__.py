"""Fits: sampling, modes, Laplace approximations and covariances of any program."""
