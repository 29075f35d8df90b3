//! The source of a kernel with a choice at every site.

#[cfg(test)]
mod tests;

use super::site::{Kind, Site};

/// `source` with each of `sites` passed through neuron-mutant, numbered from `first` on. Lines stay where they are.
pub(crate) fn splice(source: &str, sites: &[Site], first: usize) -> String {
    let mut inserted: Vec<(usize, Order, String)> = Vec::new();
    for (id, site) in (first..).zip(sites) {
        let (start, end) = (site.range.start, site.range.end);
        let function = site.kind.function();
        let core = source[start..end].split('.').next().unwrap_or_default().trim_end();
        let opening = match site.kind {
            Kind::Share => format!("::neuron_mutant::{function}({id}, {core}, |{core}| "),
            // Of a kernel and its helpers, this is the name of the core.
            Kind::Wait => format!("::neuron_mutant::{function}({id}, q7, "),
            _ => format!("::neuron_mutant::{function}({id}, "),
        };
        // Of two sites that begin or end together, the longer one is outside.
        inserted.push((start, Order::Opens(usize::MAX - end, id), opening));
        inserted.push((end, Order::Closes(usize::MAX - start, usize::MAX - id), ")".to_owned()));
    }
    inserted.sort();
    let mut text = String::new();
    let mut done = 0;
    for (at, _, words) in inserted {
        text.push_str(&source[done..at]);
        text.push_str(&words);
        done = at;
    }
    text + &source[done..]
}

/// What comes first at one place: what ends there, then what begins there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    Closes(usize, usize),
    Opens(usize, usize),
}
