//! The local addresses a core was given, and until when each is good: one in the pinned window onto SBUF always.

use neuron_device::{Band, DYNAMIC_RECORDS, HbmAddr, NxAddr, Site};

/// Most translations that are remembered: what is older is taken for a local address of unknown origin.
const KEPT: usize = 4096;

/// One local address.
#[derive(Clone, Copy, Debug)]
pub(super) struct Translation {
    pub(super) addr: HbmAddr,
    local: NxAddr,
    window: Band,
    /// How often its window had been mapped; 0 of a pinned one.
    mapping: u64,
    /// The line that asked for it.
    pub(super) site: Site,
}

/// What became of a translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum State {
    /// It is the last one, or its window is pinned.
    Good,
    /// Another address was translated since, at this line.
    Overtaken(Site),
    /// Its window was mapped elsewhere, by this line.
    Remapped(Site),
}

/// All of one launch.
#[derive(Debug, Default)]
pub(super) struct Translations {
    given: Vec<Translation>,
    /// Of each dynamic window: how often it was mapped, and by which line last.
    mappings: [(u64, Option<Site>); DYNAMIC_RECORDS],
}

impl Translations {
    pub(super) fn translated(&mut self, addr: HbmAddr, local: NxAddr, site: Site) {
        let window = local.band();
        let mapping = match window {
            Band::Window(record) => self.mappings[usize::from(record)].0,
            Band::SbufWindow => 0,
            _ => return,
        };
        if self.given.len() == KEPT {
            self.given.drain(..KEPT / 2);
        }
        self.given.push(Translation { addr, local, window, mapping, site });
    }

    pub(super) fn remapped(&mut self, record: usize, _addr: HbmAddr, site: Site) {
        let (mapped, last) = &mut self.mappings[record];
        *mapped += 1;
        *last = Some(site);
    }

    /// The translation that `local` was made from: of those in the same window the nearest at or before it, the latest of
    /// several; and what became of it.
    pub(super) fn origin(&self, local: NxAddr) -> Option<(&Translation, State)> {
        let mut best: Option<(usize, &Translation)> = None;
        for (at, given) in self.given.iter().enumerate() {
            let nearer = best.is_none_or(|(_, best)| best.local <= given.local);
            if given.window == local.band() && given.local <= local && nearer {
                best = Some((at, given));
            }
        }
        let (at, origin) = best?;
        let Band::Window(record) = origin.window else { return Some((origin, State::Good)) };
        let (mapped, by) = self.mappings[usize::from(record)];
        let state = match (by, self.given.get(at + 1)) {
            (Some(by), _) if mapped != origin.mapping => State::Remapped(by),
            (_, Some(next)) => State::Overtaken(next.site),
            _ => State::Good,
        };
        Some((origin, state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_good_until_the_next_translation_or_mapping() {
        let [first, second, third] = [std::panic::Location::caller(); 3];
        let hbm = |offset: u64| HbmAddr::new(0x10_0000_0000 + offset);
        let local = |offset: u32| NxAddr::new(0x0700_0000 + offset);
        let mut translations = Translations::default();
        assert!(translations.origin(local(0)).is_none());
        translations.remapped(0, hbm(0), first);
        translations.translated(hbm(0x40), local(0x40), first);
        let state = |translations: &Translations, at| translations.origin(local(at)).map(|(_, state)| state);
        assert_eq!(state(&translations, 0x40), Some(State::Good));
        assert_eq!(state(&translations, 0x48), Some(State::Good), "a little further");
        assert_eq!(state(&translations, 0x38), None, "before");
        translations.translated(hbm(0x80), local(0x80), second);
        assert_eq!(state(&translations, 0x48), Some(State::Overtaken(second)));
        assert_eq!(state(&translations, 0x88), Some(State::Good));
        translations.remapped(0, hbm(1 << 24), third);
        assert_eq!(state(&translations, 0x48), Some(State::Remapped(third)));
        assert_eq!(state(&translations, 0x88), Some(State::Remapped(third)));
        translations.translated(hbm(0x1000040), local(0x40), third);
        assert_eq!(state(&translations, 0x40), Some(State::Good), "given anew");
        let sbuf = |offset: u32| NxAddr::new(0x8000_0000 + offset);
        translations.translated(hbm(0x14_0400_0000), sbuf(0), first);
        translations.translated(hbm(0), local(0), second);
        translations.remapped(1, hbm(2 << 24), third);
        let state = |translations: &Translations, at| translations.origin(at).map(|(_, state)| state);
        assert_eq!(state(&translations, sbuf(4)), Some(State::Good), "pinned");
        assert_eq!(state(&translations, NxAddr::new(0x8400_0000)), None);
    }
}
