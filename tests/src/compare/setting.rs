//! [`Setting`]: how a trial is run.

/// Number of cores, and what the flat memory is like.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// What a failure calls it.
    pub label: &'static str,
    /// Cores of the launch.
    pub cores: u32,
    /// Do tensors straddle the edges of windows, a different one each? Otherwise they lie side by side.
    pub on_edges: bool,
    /// Is the core watched by an observer that wants runs?
    pub observed: bool,
    /// Do tensors travel in the machine's records alone where those can say everything?
    pub records_alone: bool,
}

/// Each is tried with every trial.
pub const SETTINGS: [Setting; 3] = [
    Setting { label: "8 cores", cores: 8, on_edges: false, observed: false, records_alone: false },
    Setting {
        label: "8 cores, window edges, observed",
        cores: 8,
        on_edges: true,
        observed: true,
        records_alone: false,
    },
    Setting {
        label: "1 core, records alone",
        cores: 1,
        on_edges: false,
        observed: false,
        records_alone: true,
    },
];

/// HBM scratch of a core, there and here: errors speak of it.
pub(super) const SCRATCH_BYTES: u64 = 64 << 10;
