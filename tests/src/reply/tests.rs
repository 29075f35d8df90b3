//! Replies there and back.

use std::string::String;
use std::vec::Vec;

use neuron_device::{Counters, Error, WindowCounters};

use super::{CoreEnd, Reply, ReplyError, put_answer, put_core, put_head, put_refusal};
use crate::watched::Watched;

#[test]
fn a_reply_comes_back_as_it_was() {
    let mut watch = *Watched::new((), true).watch();
    watch.counters = Counters { loads: 3, stores: 1 << 40, ..Counters::default() };
    watch.counters.copies.descriptors = 5;
    watch.counters.copies.tcm_peak = 6;
    watch.counters.windows[4] = WindowCounters { hits: 1, misses: 2, evictions: 3 };
    let error = Error::message("no").about("x");
    let mut bytes = Vec::new();
    put_head(&mut bytes, 2);
    put_core(&mut bytes, &Ok(()), &watch);
    put_core(&mut bytes, &Err(error), &watch);
    put_answer(&mut bytes, &[5, 6]);
    let len = bytes.len();
    put_refusal(&mut bytes, &"because");

    let end =
        |error: Option<String>| CoreEnd { error, counters: watch.counters, fingerprint: watch.fingerprint };
    use std::string::ToString;
    let cores = [end(None), end(Some(error.to_string()))].into();
    assert_eq!(Reply::decode(&bytes), Ok((Reply::Ran { cores, answer: [5, 6].into() }, len)));
    let refused = Reply::Refused("because".into());
    assert_eq!(Reply::decode(&bytes[len..]), Ok((refused, bytes.len() - len)));
    for cut in 0..len {
        assert_eq!(Reply::decode(&bytes[..cut]), Err(ReplyError::Short), "{cut} bytes");
    }
    bytes[0] ^= 1;
    assert_eq!(Reply::decode(&bytes), Err(ReplyError::Foreign));
}
