//! Cores that would run the code of others: what an image says of them.

use std::format;
use std::string::String;
use std::vec::Vec;

use anyhow::{Context, Result, bail};

use super::{Image, SETTINGS, place, trials};
use crate::case::Case;
use crate::reply::Reply;

/// How far the code of core 0 is from where it belongs, and what is said of it.
const WRONG: [(u32, &str); 2] = [
    (
        2 << 20,
        "core 0 runs the image linked at 0x84200000 in hbm_scratch, which is that of core 1: load the one",
    ),
    (64, "core 0 runs the image linked at 0x84000040 in hbm_scratch, which is that of no core: load the one"),
];

/// Boot cores with the code of others on `image`, which must refuse each, and run what is right before and after.
///
/// # Errors
/// What it did instead.
pub fn refuses_wrong_images(image: &Image) -> Result<()> {
    let trial = trials().into_iter().next().context("there are trials")?;
    let right = place(&trial, &SETTINGS[0], 1)?;
    for (by, words) in WRONG {
        let mut case = Case::decode(&right).map_err(|error| anyhow::anyhow!("{error}"))?;
        case.first_image += by;
        let mut wrong = Vec::new();
        case.encode(&mut wrong);
        let replies: Vec<Result<Reply, String>> = image.run(&[&right, &wrong, &right])?;
        match replies.as_slice() {
            [Ok(first @ Reply::Ran { .. }), Ok(Reply::Refused(reason)), Ok(last)]
                if first == last && reason.starts_with(words) => {}
            _ => bail!(format!("a core with the code of another is not refused at boot: {replies:?}")),
        }
    }
    Ok(())
}
