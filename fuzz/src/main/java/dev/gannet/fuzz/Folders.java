package dev.gannet.fuzz;

import java.net.URISyntaxException;
import java.nio.file.Path;

/**
 * The folders of inputs. The sources contain few, small inputs; the fuzzer stores what it finds
 * next to the build, and never in the sources.
 *
 * @param module the folder of this module
 */
record Folders(Path module) {
  /** The folders of the module that this class was built in. */
  static Folders here() {
    try {
      var classes = Folders.class.getProtectionDomain().getCodeSource().getLocation();
      return new Folders(Path.of(classes.toURI()).resolve("../..").normalize());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Inputs that reach much code, part of the sources. */
  Path corpus(Target target) {
    return resources().resolve("corpus").resolve(target.label());
  }

  /** Inputs that once broke a rule, part of the sources; new ones are put here. */
  Path regressions(Target target) {
    return resources().resolve("regressions").resolve(target.label());
  }

  /** Tokens that the fuzzer builds inputs from. */
  Path dictionary(Target target) {
    return resources().resolve("dictionaries").resolve(target.label() + ".dict");
  }

  /** Inputs that earlier runs on this machine found. */
  Path found(Target target) {
    return module.resolveSibling(".gannet").resolve("fuzz").resolve(target.label());
  }

  private Path resources() {
    return module.resolve("src/test/resources");
  }
}
