//! [`Crossover`]: from which length on staging wins.

use std::format;
use std::string::String;

use anyhow::Result;

use super::grid::Place;
use super::measure::{Bench, Kind};
use super::result::Outcome;
use super::way::Way;

/// What time is told by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The cost model.
    Modelled,
    /// This host.
    Host,
}

impl Clock {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Modelled, Self::Host];

    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Modelled => "modelled",
            Self::Host => "host",
        }
    }
}

/// From which length on the best way that stages beats the best that translates, at stride 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossover {
    /// The dtype.
    pub kind: Kind,
    /// By which time.
    pub clock: Clock,
    /// From so many elements on, and at every longer length that was tried; `None`: not at the longest.
    pub from: Option<u32>,
    /// The shortest length that was tried.
    pub shortest: u32,
    /// The longest.
    pub longest: u32,
}

impl Crossover {
    /// By what was measured, at the lengths at which it was. Staging wins there if it is faster by more than a twentieth:
    /// what is less may be chance.
    pub fn of_host(outcome: &Outcome, kind: Kind) -> Self {
        let lengths = outcome.grid.lengths();
        let best = |stages: bool, length: u32| {
            let place = Place { length, stride: 1 };
            let ways = Way::all().into_iter().filter(|way| way.stages() == stages);
            let times = ways.filter_map(|way| outcome.point(kind, Some(way), place)?.ns(Clock::Host));
            times.fold(f64::INFINITY, f64::min)
        };
        let wins = |length: &&u32| 1.05 * best(true, **length) < best(false, **length);
        let from = lengths.iter().rev().take_while(wins).last().copied();
        Self::new(kind, Clock::Host, from, (lengths[0], lengths[lengths.len() - 1]))
    }

    /// By the model, to the element: where powers of two say that it is, halved.
    ///
    /// # Errors
    /// As [`Bench::modelled`].
    pub fn of_model(bench: &mut Bench, kind: Kind, longest: u32) -> Result<Self> {
        let mut wins = |length: u32| -> Result<bool> {
            let mut best = |stages: bool| {
                let ways = Way::all().into_iter().filter(|way| way.stages() == stages);
                let times = ways.map(|way| bench.modelled(kind, way, Place { length, stride: 1 }));
                times.collect::<Result<std::vec::Vec<_>>>().map(|times| times.into_iter().min())
            };
            Ok(best(true)? < best(false)?)
        };
        let new = |from| Self::new(kind, Clock::Modelled, from, (1, longest));
        let (mut high, mut low) = (longest, longest);
        while wins(low)? {
            (high, low) = (low, low / 2);
            if low == 0 {
                return Ok(new(Some(1)));
            }
        }
        if low == longest {
            return Ok(new(None));
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            *(if wins(middle)? { &mut high } else { &mut low }) = middle;
        }
        Ok(new(Some(high)))
    }

    fn new(kind: Kind, clock: Clock, from: Option<u32>, (shortest, longest): (u32, u32)) -> Self {
        Self { kind, clock, from, shortest, longest }
    }

    /// The line that names it.
    pub fn text(&self) -> String {
        let Self { clock, from, shortest, longest, .. } = *self;
        let clock = clock.name();
        match from {
            None => format!("{clock}: staging does not win at up to {longest} elements"),
            Some(from) if from == shortest && shortest > 1 => {
                format!("{clock}: staging wins from {from} elements on, the fewest that were tried")
            }
            Some(1) => format!("{clock}: staging wins from 1 element on"),
            Some(from) => format!("{clock}: staging wins from {from} elements on"),
        }
    }
}
