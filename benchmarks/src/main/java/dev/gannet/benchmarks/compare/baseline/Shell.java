package dev.gannet.benchmarks.compare.baseline;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Runs programs to their end in a folder. */
record Shell(Path folder) {
  /** The output of a program on both streams, without the last line break. */
  record Ended(int code, String said) {
    boolean isGood() {
      return code == 0;
    }
  }

  Ended run(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    return new Ended(process.waitFor(), said);
  }
}
