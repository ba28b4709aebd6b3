package dev.gannet.fuzz;

import java.net.URISyntaxException;
import java.nio.file.Path;

/**
 * Where inputs lie. Those in the sources are few and small; the fuzzer keeps what it finds on its
 * way beside the build, and never in the sources.
 *
 * @param room the folder of this room
 */
record Folders(Path room) {
  /** Of the room that this class was built in. */
  static Folders here() {
    try {
      var classes = Folders.class.getProtectionDomain().getCodeSource().getLocation();
      return new Folders(Path.of(classes.toURI()).resolve("../..").normalize());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Inputs that reach far, part of the sources. */
  Path corpus(Target target) {
    return resources().resolve("corpus").resolve(target.label());
  }

  /** Inputs that once broke a rule, part of the sources; new ones are put here. */
  Path regressions(Target target) {
    return resources().resolve("regressions").resolve(target.label());
  }

  /** Words that inputs are made of. */
  Path dictionary(Target target) {
    return resources().resolve("dictionaries").resolve(target.label() + ".dict");
  }

  /** What earlier runs on this machine found. */
  Path found(Target target) {
    return room.resolveSibling(".gannet").resolve("fuzz").resolve(target.label());
  }

  private Path resources() {
    return room.resolve("src/test/resources");
  }
}
