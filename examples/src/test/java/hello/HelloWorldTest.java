package hello;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The program of README.md and of the example with Gradle. */
final class HelloWorldTest {
  @Test
  void itPrintsWhatReadmeSays() throws IOException {
    PrintStream console = System.out;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      Main.main(new String[0]);
    } finally {
      System.setOut(console);
    }
    assertThat(said.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "Hello Ada", "number 1", "number 2", "number 3", "INVALID_ARGUMENT: a name is needed");
  }
}
