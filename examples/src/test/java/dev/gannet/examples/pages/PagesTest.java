package dev.gannet.examples.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The Java examples of pages are those that the tests beside this one compile and run. On a page,
 * {@code <!-- NAME -->} stands above each; in a test it stands between {@code // begin NAME} and
 * {@code // end}. Examples of grpc-java, which is not here, have no name.
 */
final class PagesTest {
  private static final Path ROOT = Path.of("..");
  private static final Path SOURCES = Path.of("src/test/java");
  private static final Path HELLO = Path.of("gradle");

  @ParameterizedTest
  @CsvSource({
    "docs/guide.md, hello/GuidePageTest hello/GuideErrorsTest hello/GuideServicesTest"
        + " hello/GuideStreamsTest hello/GuideInterceptorsTest",
    "docs/testing.md, dev/gannet/examples/pages/TestingPageTest",
    "docs/from-grpc-java.md, dev/gannet/examples/pages/MigrationPageTest"
  })
  void examplesInAPageEqualThoseThatAreTested(String page, String tests) throws IOException {
    Map<String, String> run = new HashMap<>();
    for (String test : List.of(tests.split(" ", -1))) {
      run.putAll(regions(SOURCES.resolve(test + ".java")));
    }
    Map<String, String> shown = blocks(ROOT.resolve(page));
    assertThat(shown).isEqualTo(run).isNotEmpty();
  }

  /** Nothing is shown that the build does not compile: files and grpc-java's are told apart. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "codegen/README.md",
        "docs/testing.md",
        "docs/from-grpc-java.md",
        "docs/connection.md",
        "docs/guide.md",
        "docs/performance.md",
        "docs/states.md",
        "docs/threading.md"
      })
  void everyExampleHasItsNameAboveIt(String page) throws IOException {
    List<String> lines = Files.readAllLines(ROOT.resolve(page));
    for (int i = 2; i < lines.size(); i++) {
      if (lines.get(i).equals("```java")) {
        assertThat(lines.get(i - 1).startsWith("<!-- ") ? lines.get(i - 1) : lines.get(i - 2))
            .as("what stands above line %d of %s", i + 1, page)
            .matches("<!-- .+ -->|\\*\\*grpc-java\\*\\*|\\*\\*`src/main/java/.+`\\*\\*");
      }
    }
  }

  /** README's first program is the example with Gradle, which this build compiles and runs. */
  @ParameterizedTest
  @CsvSource({
    "src/main/protobuf/greeter.proto, src/main/proto/greeter.proto, ```proto",
    "src/main/java/hello/MyGreeter.java, src/main/java/hello/MyGreeter.java, ```java",
    "src/main/java/hello/Main.java, src/main/java/hello/Main.java, ```java"
  })
  void helloWorldIsTheProgramThatIsRun(String shown, String file, String fence) throws IOException {
    List<String> lines = Files.readAllLines(ROOT.resolve("README.md"));
    int begin = lines.indexOf("**`" + shown + "`**") + 2;
    assertThat(lines.get(begin)).isEqualTo(fence);
    assertThat(lines.subList(begin + 1, lines.size()).stream().takeWhile(it -> !it.equals("```")))
        .containsExactlyElementsOf(Files.readAllLines(HELLO.resolve(file)));
  }

  private static Map<String, String> regions(Path source) throws IOException {
    Map<String, String> found = new HashMap<>();
    Optional<String> name = Optional.empty();
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(source)) {
      if (line.strip().startsWith("// begin ")) {
        name = Optional.of(line.strip().substring("// begin ".length()));
        lines.clear();
      } else if (line.strip().equals("// end") && name.isPresent()) {
        found.put(name.get(), flush(lines));
        name = Optional.empty();
      } else {
        lines.add(line);
      }
    }
    return found;
  }

  /** The lines without what all of them are indented by. */
  private static String flush(List<String> lines) {
    int indent =
        lines.stream()
            .filter(line -> !line.isBlank())
            .mapToInt(line -> line.length() - line.stripLeading().length())
            .min()
            .orElse(0);
    return lines.stream()
        .map(line -> line.isBlank() ? "" : line.substring(indent))
        .collect(Collectors.joining("\n"))
        .strip();
  }

  private static Map<String, String> blocks(Path page) throws IOException {
    Map<String, String> found = new HashMap<>();
    List<String> lines = Files.readAllLines(page);
    for (int i = 1; i < lines.size(); i++) {
      String above = lines.get(i - 1);
      if (lines.get(i).equals("```java") && above.startsWith("<!-- ")) {
        Stream<String> block = lines.stream().skip(i + 1L).takeWhile(line -> !line.equals("```"));
        found.put(
            above.substring("<!-- ".length(), above.length() - " -->".length()),
            block.collect(Collectors.joining("\n")));
      }
    }
    return found;
  }
}
