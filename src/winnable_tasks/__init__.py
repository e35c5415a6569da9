"""The taskset `winnable-tasks` of verifiers, which looks for tasksets among modules of the topmost level."""

from winnable.tasks.verifiers import WinnableTaskset

__all__ = ["WinnableTaskset"]
