package dev.gannet.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The BOM has no parent to take versions and modules from; it names what the build has. */
final class BomTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern MODULE = Pattern.compile("<module>([a-z0-9/-]+)</module>");
  private static final Pattern MANAGED = Pattern.compile("<artifactId>(gannet[a-z0-9-]*)<");
  private static final Pattern PROTOBUF =
      Pattern.compile("<protobuf.version>([^<]+)</protobuf.version>");

  /** What nobody depends on, and what only Gannet's own tests do. */
  private static final Set<String> NOT_FOR_USERS =
      Set.of(
          "architecture",
          "bom",
          "leaks",
          "suites",
          "cli",
          "examples",
          "fuzz",
          "conformance",
          "benchmarks");

  @Test
  void theBomNamesEachModuleThatUsersMayDependOn() throws IOException {
    Set<String> modules =
        MODULE
            .matcher(text("pom.xml"))
            .results()
            .map(it -> it.group(1))
            .filter(it -> !it.contains("/") && !NOT_FOR_USERS.contains(it))
            .map(it -> it.equals("all") ? "gannet" : "gannet-" + it)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> managed =
        MANAGED
            .matcher(text("bom/pom.xml"))
            .results()
            .map(it -> it.group(1))
            .filter(it -> !it.equals("gannet-bom"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(managed).isEqualTo(modules);
  }

  @Test
  void theBomHasTheVersionsOfTheBuild() throws IOException {
    String version = first(Pattern.compile("<version>([^<]+)</version>"), text("pom.xml"));
    assertThat(first(Pattern.compile("<version>([^<]+)</version>"), text("bom/pom.xml")))
        .isEqualTo(version);
    assertThat(first(PROTOBUF, text("bom/pom.xml"))).isEqualTo(first(PROTOBUF, text("pom.xml")));
  }

  private static String text(String file) throws IOException {
    return Files.readString(ROOT.resolve(file));
  }

  private static String first(Pattern what, String in) {
    Matcher matcher = what.matcher(in);
    assertThat(matcher.find()).as("%s", what).isTrue();
    return matcher.group(1);
  }
}
