package dev.gannet.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.Limits;
import dev.gannet.http2.Offence;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The page of limits names each that there is. */
final class LimitsPageTest {
  private static final Path PAGE = Path.of("../docs/limits.md");

  static Stream<String> limits() {
    return namesOf("", Limits.class).filter(name -> !name.equals("abuse"));
  }

  /** Records within the record go one deep: what is deeper has its own option on builders. */
  private static Stream<String> namesOf(String prefix, Class<?> limits) {
    return Arrays.stream(limits.getRecordComponents())
        .flatMap(component -> namesOf(prefix, component));
  }

  private static Stream<String> namesOf(String prefix, RecordComponent component) {
    return component.getType().isRecord() && prefix.isEmpty()
        ? namesOf(component.getName() + ".", component.getType())
        : Stream.of(prefix + component.getName());
  }

  @ParameterizedTest
  @MethodSource("limits")
  void everyLimitOfHttp2IsOnThePage(String name) throws IOException {
    assertThat(Files.readString(PAGE)).contains("`" + name + "`");
  }

  @ParameterizedTest
  @EnumSource
  void everyOffenceIsOnThePageWithItsRate(Offence offence) throws IOException {
    Offence.Rate rate = offence.usualRate();
    String line =
        String.format(
            Locale.ROOT, "| `%s` | %,d | %,d |", offence.name(), rate.atOnce(), rate.aMinute());
    assertThat(Files.readString(PAGE)).contains(line);
  }
}
