"""Serving half of the memory fit."""


def fit(cli, entries):
    pass
