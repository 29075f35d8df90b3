//! [`Work`]: compute that a kernel declares.

/// Where operations are made: docs/machine.md section 13.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Additions, comparisons, shifts, addresses: of one value each.
    ScalarAlu,
    /// Products of one pair of values each.
    ScalarMul,
    /// Additions, comparisons, selections, of all lanes at once.
    VectorAlu,
    /// Multiply-accumulate of integers, of all lanes at once.
    VectorMac,
    /// Multiply-add of floats, of all lanes at once.
    VectorFma,
}

impl Unit {
    pub(crate) const COUNT: usize = 5;

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::ScalarAlu => "scalar ALU",
            Self::ScalarMul => "scalar multiplication",
            Self::VectorAlu => "vector ALU",
            Self::VectorMac => "vector multiply-accumulate",
            Self::VectorFma => "vector float multiply-add",
        }
    }

    pub(crate) fn is_vector(self) -> bool {
        matches!(self, Self::VectorAlu | Self::VectorMac | Self::VectorFma)
    }
}

/// Compute that a kernel declares: the simulator sees accesses, and not what happens between them.
///
/// ```
/// use neuron_host_sim::cost::{CostModel, Progress, Stream, Unit, Work};
/// let cycles = |work| {
///     let mut stream = Stream::new();
///     stream.computed(Progress::default(), work);
///     let mut model = CostModel::default();
///     model.core.clock_ghz = 1.0;
///     model.replay(&[stream]).map(|modelled| modelled.time().as_ns())
/// };
/// // 16 lanes: 64 steps and the latency of the last one; a chain waits for each.
/// assert_eq!(cycles(Work::independent(Unit::VectorFma, 32, 1024))?, 67.0);
/// assert_eq!(cycles(Work::chain(Unit::VectorFma, 32, 1024))?, 256.0);
/// # Ok::<(), neuron_host_sim::cost::CostModelError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    pub(crate) unit: Unit,
    pub(crate) bits: u8,
    pub(crate) chained: bool,
    pub(crate) operations: u64,
}

impl Work {
    /// `operations` operations on values of `bits` bits, counted by lane, none of which waits for another's result.
    /// `bits` matters to vectors only; it is at least 8.
    pub fn independent(unit: Unit, bits: u8, operations: u64) -> Self {
        Self { unit, bits: bits.max(8), chained: false, operations }
    }

    /// The same, where every operation, or every vector of them, needs the result of the one before.
    pub fn chain(unit: Unit, bits: u8, operations: u64) -> Self {
        Self { chained: true, ..Self::independent(unit, bits, operations) }
    }
}
