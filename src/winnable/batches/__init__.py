"""Whole sets of levels: lists of requests, each answered by a row, wherever that is worked out."""
