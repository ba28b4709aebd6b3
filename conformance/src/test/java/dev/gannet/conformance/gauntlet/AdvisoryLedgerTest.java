package dev.gannet.conformance.gauntlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.conformance.gauntlet.attack.AttackDescription;
import dev.gannet.conformance.gauntlet.attack.Attacks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The page of advisories names tests and attacks that there are. */
final class AdvisoryLedgerTest {
  /** A line of the page. */
  record Advisory(String number, String module, String testClass, String method, String attack) {}

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path PAGE = ROOT.resolve("docs/cves.md");
  private static final Pattern LINE =
      Pattern.compile(
          "\\| CVE-(\\d{4}-\\d+) \\| [^|]+ \\| (\\S+) `(\\w+)#(\\w+)` \\| (?:`(\\S+)`)? ?\\|");

  /** The beginning of a method that is a test. */
  private static final String RUN_BY_JUNIT =
      "@(?:Test|ParameterizedTest|\\w+Script)\\s+(?:@\\w+Source(?:\\([^)]*\\))?\\s+)?void ";

  /** Advisories are added to the page, never taken from it. */
  private static final int MIN_ADVISORIES = 44;

  static List<Advisory> advisories() throws IOException {
    return Files.readAllLines(PAGE).stream()
        .map(LINE::matcher)
        .filter(Matcher::matches)
        .map(it ->
            new Advisory(
                it.group(1),
                it.group(2),
                it.group(3),
                it.group(4),
                it.group(5) == null ? "" : it.group(5)))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("advisories")
  void everyAdvisoryNamesAnExistingTest(Advisory advisory) throws IOException {
    Pattern method = Pattern.compile(RUN_BY_JUNIT + advisory.method() + "\\(");
    assertThat(sourcesOf(advisory).map(AdvisoryLedgerTest::text))
        .anyMatch(source -> method.matcher(source).find())
        .noneMatch(source -> source.contains("@Disabled"));
  }

  @ParameterizedTest
  @MethodSource("advisories")
  void everyAdvisoryNamesAnAttackWithItsNumber(Advisory advisory) {
    if (!advisory.attack().isEmpty()) {
      assertThat(Attacks.named(advisory.attack()))
          .hasValueSatisfying(
              it -> assertThat(it.description().cves()).contains(advisory.number()));
    }
  }

  @Test
  void noAdvisoryIsRemovedFromThePage() throws IOException {
    assertThat(advisories()).hasSizeGreaterThanOrEqualTo(MIN_ADVISORIES);
  }

  @Test
  void everyLineWithACveIsAnAdvisory() throws IOException {
    assertThat(Files.readAllLines(PAGE).stream().filter(line -> line.contains("CVE-")))
        .isNotEmpty()
        .allMatch(line -> LINE.matcher(line).matches());
  }

  @Test
  void everyAdvisoryThatAnAttackNamesIsOnThePage() throws IOException {
    Set<String> onThePage = advisories().stream().map(Advisory::number).collect(Collectors.toSet());
    Stream<AttackDescription> dossiers = Attacks.all().stream().map(it -> it.description());
    assertThat(dossiers.flatMap(it -> it.cves().stream())).isSubsetOf(onThePage);
  }

  private static Stream<Path> sourcesOf(Advisory advisory) throws IOException {
    Path tests = ROOT.resolve(advisory.module()).resolve("src/test/java");
    try (Stream<Path> files = Files.walk(tests)) {
      return files.filter(it -> it.endsWith(advisory.testClass() + ".java")).toList().stream();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
