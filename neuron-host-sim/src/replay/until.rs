//! [`Until`]: where a replay stops.

use std::fmt;
use std::str::FromStr;

use neuron_device::Access;

/// Where a replay stops: as text `fault`, `fault:2`, `write:out[17]`, `read:x[2,3]#4` or `end`.
///
/// ```
/// use neuron_device::Access;
/// use neuron_host_sim::replay::Until;
/// let until: Until = "read:x[2, 3]#4".parse()?;
/// let fourth = Until::Access { access: Access::Read, tensor: "x".to_owned(), index: vec![2, 3], nth: 4 };
/// assert_eq!((&until, until.to_string().as_str()), (&fourth, "read:x[2,3]#4"));
/// assert_eq!("fault".parse::<Until>()?, Until::Fault(None));
/// let error = "write:out(17)".parse::<Until>().unwrap_err();
/// assert!(error.to_string().starts_with("`write:out(17)` is no place to stop at: "), "{error}");
/// # Ok::<(), neuron_host_sim::replay::NoUntil>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Until {
    /// An access to an element.
    Access {
        /// Which way it goes.
        access: Access,
        /// The tensor, by its name in reports. Of several tensors a kernel made, the first is `scratch`, the second
        /// `scratch2`, and so on.
        tensor: String,
        /// One index a dimension, or one that counts the elements row by row; none for a tensor without dimensions.
        index: Vec<u64>,
        /// Which of the core's accesses to it, from 1.
        nth: u64,
    },
    /// The fault with this number in the report, from 1; without one, the first of the core.
    Fault(Option<usize>),
    /// The end of the core's work.
    End,
}

impl Default for Until {
    /// The first fault.
    fn default() -> Self {
        Self::Fault(None)
    }
}

/// Text that says no place to stop at.
///
/// ```
/// use neuron_host_sim::replay::Until;
/// let error = "write:out".parse::<Until>().unwrap_err();
/// assert!(error.to_string().ends_with("an access needs an index, as in write:out[17]"), "{error}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no place to stop at: {reason}")]
pub struct NoUntil {
    text: String,
    reason: &'static str,
}

impl FromStr for Until {
    type Err = NoUntil;

    fn from_str(text: &str) -> Result<Self, NoUntil> {
        let refused = |reason| NoUntil { text: text.to_owned(), reason };
        let number = |digits: &str| digits.trim().parse::<u64>().ok().filter(|&number| number > 0);
        let (access, place) = match text.split_once(':') {
            None if text == "fault" => return Ok(Self::Fault(None)),
            None if text == "end" => return Ok(Self::End),
            Some(("fault", which)) => {
                let which = number(which).and_then(|which| usize::try_from(which).ok());
                let which = which.ok_or_else(|| refused("faults are counted from 1, as in fault:2"))?;
                return Ok(Self::Fault(Some(which)));
            }
            Some(("write", place)) => (Access::Write, place),
            Some(("read", place)) => (Access::Read, place),
            _ => return Err(refused("say fault, fault:N, write:NAME[i], read:NAME[i] or end")),
        };
        let (place, nth) = match place.rsplit_once('#') {
            Some((place, nth)) => (
                place,
                number(nth).ok_or_else(|| refused("accesses are counted from 1, as in write:out[17]#2"))?,
            ),
            None => (place, 1),
        };
        let bracketed = place.trim().strip_suffix(']').and_then(|place| place.split_once('['));
        let (tensor, index) =
            bracketed.ok_or_else(|| refused("an access needs an index, as in write:out[17]"))?;
        if tensor.trim().is_empty() {
            return Err(refused("an access needs a tensor, as in write:out[17]"));
        }
        let index: Result<Vec<u64>, _> = match index.trim() {
            "" => Ok(Vec::new()),
            index => index.split(',').map(|number| number.trim().parse()).collect(),
        };
        let index = index.map_err(|_| refused("indices are whole numbers, as in write:out[2,3]"))?;
        Ok(Self::Access { access, tensor: tensor.trim().to_owned(), index, nth })
    }
}

impl fmt::Display for Until {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Access { access, tensor, index, nth } => {
                let index: Vec<String> = index.iter().map(u64::to_string).collect();
                write!(f, "{}:{tensor}[{}]", access.name(), index.join(","))?;
                if *nth > 1 { write!(f, "#{nth}") } else { Ok(()) }
            }
            Self::Fault(None) => f.write_str("fault"),
            Self::Fault(Some(which)) => write!(f, "fault:{which}"),
            Self::End => f.write_str("end"),
        }
    }
}

#[cfg(test)]
mod tests;
