package dev.gannet.benchmarks.compare.baseline;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Programs that run to their end in a folder. */
record Shell(Path folder) {
  /** What a program said on both its outputs, without the last line's end. */
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
