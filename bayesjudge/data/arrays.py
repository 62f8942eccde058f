"""Names of the array types used in annotations."""

import numpy as np
from numpy.typing import NDArray

type IntArray = NDArray[np.int64]
type FloatArray = NDArray[np.float64]
type BoolArray = NDArray[np.bool_]
