"""Figures of any fit."""
