"""Arithmetic and checks that every room stands on."""
