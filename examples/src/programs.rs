//! Running the models as programs, for those that compare them.

use crate::Result;
use std::env;
use std::process::Command;

/// The programs of the models. A model joins the conformance run and the coverage with its name here.
pub const MODELS: &[&str] = &["discord", "putea-matai", "serenya", "tazco", "whatsapp"];

/// What the program of a model prints. It is built next to the program that runs.
pub fn printed(model: &str, arguments: &[&str]) -> Result<String> {
    let here = env::current_exe()?;
    let folder = here.parent().ok_or("this program is in no folder")?;
    let program = folder
        .join(model)
        .with_extension(env::consts::EXE_EXTENSION);
    let output = Command::new(program).args(arguments).output()?;
    if !output.status.success() {
        let problem = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{model} {}: {problem}", arguments.join(" ")).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}
