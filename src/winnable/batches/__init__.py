"""Whole sets of levels: lists of requests, each answered by a row, in this process, on others or on a cluster."""
