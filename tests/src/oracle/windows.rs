//! Which part of HBM a core sees where: three windows, taken in turn.

use std::vec::Vec;

/// Where the core sees them.
const AT: [u32; 3] = [0x0700_0000, 0x0900_0000, 0x0A00_0000];
const BYTES: u64 = 1 << 24;

/// A local address that was given.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given {
    pub(super) addr: u64,
    pub(super) local: u32,
    pub(super) line: i32,
    window: usize,
    /// How often the window had been mapped then.
    mapping: usize,
}

/// What became of it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Since {
    Nothing,
    /// Another was given, by this line.
    Given(i32),
    /// The window was mapped elsewhere, by this line.
    Mapped(i32),
}

/// The windows of one core.
#[derive(Debug, Default)]
pub(super) struct Windows {
    /// Of each window: what it showed, one after the other, and by which lines.
    shown: [Vec<(u64, i32)>; 3],
    next: usize,
    given: Vec<Given>,
    pub(super) hits: [u64; 3],
    pub(super) misses: [u64; 3],
    pub(super) evictions: [u64; 3],
}

impl Windows {
    /// The window that shows `addr`, which is mapped if none does.
    pub(super) fn reach(&mut self, addr: u64, line: i32) -> usize {
        let base = addr / BYTES * BYTES;
        let shows = |shown: &Vec<(u64, i32)>| shown.last().is_some_and(|(last, _)| *last == base);
        if let Some(window) = self.shown.iter().position(shows) {
            self.hits[window] += 1;
            return window;
        }
        let window = self.next;
        self.next = (self.next + 1) % 3;
        self.misses[window] += 1;
        self.evictions[window] += u64::from(!self.shown[window].is_empty());
        self.shown[window].push((base, line));
        window
    }

    /// Give a local address.
    pub(super) fn translate(&mut self, addr: u64, line: i32) -> u32 {
        let window = self.reach(addr, line);
        let local = AT[window] + (addr % BYTES) as u32;
        self.given.push(Given { addr, local, line, window, mapping: self.shown[window].len() });
        local
    }

    /// What a local address shows now.
    pub(super) fn shown_at(&self, local: u32) -> Option<u64> {
        let window = window_of(local)?;
        let (base, _) = self.shown[window].last()?;
        Some(base + u64::from(local - AT[window]))
    }

    /// What was given in the same window nearest at or before `local`, the latest of several, and what became of it.
    pub(super) fn origin(&self, local: u32) -> Option<(Given, Since)> {
        let window = window_of(local)?;
        let mut before: Vec<(usize, &Given)> = self.given.iter().enumerate().collect();
        before.retain(|(_, given)| given.window == window && given.local <= local);
        let (nth, given) = before.into_iter().max_by_key(|(nth, given)| (given.local, *nth))?;
        let since = if self.shown[window].len() != given.mapping {
            Since::Mapped(self.shown[window].last()?.1)
        } else {
            self.given.get(nth + 1).map_or(Since::Nothing, |next| Since::Given(next.line))
        };
        Some((*given, since))
    }
}

fn window_of(local: u32) -> Option<usize> {
    AT.iter().position(|&start| (u64::from(start)..u64::from(start) + BYTES).contains(&local.into()))
}
