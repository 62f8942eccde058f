"""Names of the array types used in annotations."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

type IntArray = NDArray[np.int64]
type FloatArray = NDArray[np.float64]
type BoolArray = NDArray[np.bool_]
type StringArray = NDArray[np.str_]
type Array = Any  # a NumPy array outside a program, a JAX tracer inside one
