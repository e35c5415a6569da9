"""Arrays in plain memory, for where numpy is not installed: what is here is as numpy's of that name.

Where numpy has a number of another type, such as the sum of an array, here it is Python's. Results of 64-bit
functions may differ in their last bit, as they do between machines.
"""

# ruff: noqa: F401, F403
# pyright: reportUnusedImport=false
from math import inf, nan, pi

from winnable.inert.plain import random
from winnable.inert.plain.arrays import *
from winnable.inert.plain.arrays import absolute as abs
from winnable.inert.plain.arrays import asarray as ascontiguousarray
from winnable.inert.plain.functions import *
from winnable.inert.plain.functions import any_ as any
from winnable.inert.plain.functions import divmod_ as divmod
from winnable.inert.plain.functions import round_ as round
from winnable.inert.plain.scalars import *
from winnable.inert.plain.scalars import int64 as intp
