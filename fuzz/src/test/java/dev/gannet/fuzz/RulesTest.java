package dev.gannet.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every build plays what the fuzzer found once, and some inputs more, without the fuzzer. */
final class RulesTest {
  private static final long SEED = Long.getLong("gannet.seed", 20_26);
  private static final long MAX_CORPUS_BYTES = 1 << 20;

  private final Folders folders = Folders.here();

  @ParameterizedTest
  @EnumSource
  void inputsThatReachFarBreakNoRule(Target target) throws IOException {
    for (Path input : filesIn(folders.corpus(target))) {
      play(target, Files.readAllBytes(input), input.toString());
    }
  }

  @ParameterizedTest
  @EnumSource
  void inputsThatOnceBrokeARuleDoSoNoMore(Target target) throws IOException {
    for (Path input : filesIn(folders.regressions(target))) {
      play(target, Files.readAllBytes(input), input.toString());
    }
  }

  @ParameterizedTest
  @EnumSource
  void inputsThatWereChangedALittleBreakNoRule(Target target) throws IOException {
    List<byte[]> corpus = new ArrayList<>();
    for (Path input : filesIn(folders.corpus(target))) {
      corpus.add(Files.readAllBytes(input));
    }
    Mutations mutations = new Mutations(SEED, corpus, target.maxInputBytes());
    for (int i = 0; i < playsOf(target); i++) {
      byte[] input = mutations.next();
      play(target, input, "no. %d of seed %d".formatted(i, SEED));
    }
  }

  @ParameterizedTest
  @EnumSource
  void anEmptyInputBreaksNoRule(Target target) {
    play(target, new byte[0], "nothing");
  }

  @ParameterizedTest
  @EnumSource
  void aCorpusHasInputsAndStaysSmall(Target target) throws IOException {
    List<Path> inputs = filesIn(folders.corpus(target));
    long bytes = 0;
    for (Path input : inputs) {
      bytes += Files.size(input);
    }

    assertThat(inputs).isNotEmpty();
    assertThat(bytes).isLessThan(MAX_CORPUS_BYTES / Target.values().length);
  }

  /** About a second's worth. */
  private static int playsOf(Target target) {
    return switch (target) {
      case FRAMES, TEXT -> 10_000;
      case HPACK_DECODE, HPACK_ROUND_TRIP, HEADERS -> 4_000;
      case MESSAGES, SERVER, CLIENT -> 1_000;
    };
  }

  private static void play(Target target, byte[] input, String what) {
    try {
      target.play(input);
    } catch (RuntimeException | Error e) {
      throw new AssertionError(
          "%s: a rule is broken by %s: %s"
              .formatted(target.label(), what, Base64.getEncoder().encodeToString(input)),
          e);
    }
  }

  private static List<Path> filesIn(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }
}
