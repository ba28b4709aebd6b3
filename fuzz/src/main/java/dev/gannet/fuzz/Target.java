package dev.gannet.fuzz;

import dev.gannet.fuzz.targets.ClientDriving;
import dev.gannet.fuzz.targets.FrameReading;
import dev.gannet.fuzz.targets.HeaderReading;
import dev.gannet.fuzz.targets.HpackDecoding;
import dev.gannet.fuzz.targets.HpackRoundTrip;
import dev.gannet.fuzz.targets.MessageDeframing;
import dev.gannet.fuzz.targets.ServerDriving;
import dev.gannet.fuzz.targets.TextCodecs;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The parts of Gannet that can be fuzzed. */
public enum Target {
  FRAMES("frames", FrameReading.class, 4 << 10),
  HPACK_DECODE("hpack-decode", HpackDecoding.class, 4 << 10),
  HPACK_ROUND_TRIP("hpack-round-trip", HpackRoundTrip.class, 4 << 10),
  HEADERS("headers", HeaderReading.class, 4 << 10),
  MESSAGES("messages", MessageDeframing.class, 8 << 10),
  TEXT("text", TextCodecs.class, 8 << 10),
  SERVER("server", ServerDriving.class, 8 << 10),
  CLIENT("client", ClientDriving.class, 8 << 10);

  private final String label;
  private final Class<?> type;
  private final int maxInputBytes;

  Target(String label, Class<?> type, int maxInputBytes) {
    this.label = label;
    this.type = type;
    this.maxInputBytes = maxInputBytes;
  }

  /** Its name on the command line and in the folders of its inputs. */
  public String label() {
    return label;
  }

  /** The class whose {@code fuzzerTestOneInput} the fuzzer calls. */
  public Class<?> type() {
    return type;
  }

  /** The longest input worth trying. */
  public int maxInputBytes() {
    return maxInputBytes;
  }

  /**
   * Runs one input, without a fuzzer.
   *
   * @throws dev.gannet.fuzz.targets.Finding if it breaks a rule
   */
  public void play(byte[] input) {
    switch (this) {
      case FRAMES -> FrameReading.fuzzerTestOneInput(input);
      case HPACK_DECODE -> HpackDecoding.fuzzerTestOneInput(input);
      case HPACK_ROUND_TRIP -> HpackRoundTrip.fuzzerTestOneInput(input);
      case HEADERS -> HeaderReading.fuzzerTestOneInput(input);
      case MESSAGES -> MessageDeframing.fuzzerTestOneInput(input);
      case TEXT -> TextCodecs.fuzzerTestOneInput(input);
      case SERVER -> ServerDriving.fuzzerTestOneInput(input);
      case CLIENT -> ClientDriving.fuzzerTestOneInput(input);
    }
  }

  /** The target with this name. */
  static Optional<Target> of(String label) {
    return Arrays.stream(values()).filter(target -> target.label.equals(label)).findFirst();
  }

  /** All names. */
  static List<String> labels() {
    return Arrays.stream(values()).map(Target::label).toList();
  }
}
