package dev.gannet.benchmarks.harness;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * The life of a client that is compared: its workload as options in, {@code ready} out once each
 * channel has made a call; then rounds as it is told, and the end when standard input ends.
 *
 * <p>{@code round MILLIS [CALLS_PER_SECOND | full]} is answered with what the round has found;
 * {@code check} makes one call on each channel; {@code open N} opens N streams on each channel, and
 * exchanges a message on each; {@code exchange} does that again. A program that is started with
 * {@code --first-call true} makes one call, tells what that took, and ends. {@code
 * --patience-millis N} is how long the last calls of a round may take once its time is over (ten
 * seconds); calls that take longer make the round fail.
 */
public final class ClientProgram {
  /** Makes channels for a workload. */
  @FunctionalInterface
  public interface Connector {
    Target connect(CallShape shape) throws Exception;
  }

  private static final Duration MAX_EXCHANGE = Duration.ofMinutes(1);
  private static final double NANOS_PER_SECOND = 1e9;

  private final CallShape shape;
  private final int callsPerChannel;
  private final Duration patience;
  private final Target target;
  private final Run runOfStreams;
  private final List<Target.OpenStream> streams = new ArrayList<>();

  private ClientProgram(CallShape shape, int callsPerChannel, Duration patience, Target target) {
    this.shape = shape;
    this.callsPerChannel = callsPerChannel;
    this.patience = patience;
    this.target = target;
    this.runOfStreams = new Run(shape.payloads());
  }

  /**
   * Makes rounds until standard input ends, and ends the process.
   *
   * @param mainNanos when {@code main} began, by {@link System#nanoTime}
   */
  public static void run(String[] args, long mainNanos, Connector connector) throws Exception {
    Conversation conversation = new Conversation();
    Arguments arguments = new Arguments(args);
    CallShape shape = CallShape.of(arguments);
    int patienceMillis =
        arguments.number("patience-millis", (int) Measurement.USUAL_PATIENCE.toMillis());
    ClientProgram program =
        new ClientProgram(
            shape,
            arguments.number("outstanding", 1),
            Duration.ofMillis(patienceMillis),
            connector.connect(shape));
    try {
      if (arguments.text("first-call").isPresent()) {
        program.target.callOnce(0);
        long nanos = System.nanoTime() - mainNanos;
        conversation.say(new JsonLine().with("firstCallNanos", nanos).toString());
        Runtime.getRuntime().halt(0);
      }
      program.check();
      conversation.say("ready");
    } catch (RunFailedException e) {
      conversation.fail(e);
    }
    conversation.hold(program::answer);
    Runtime.getRuntime().halt(0);
  }

  private String answer(String[] words) throws InterruptedException {
    return switch (words[0]) {
      case "round" -> round(words);
      case "check" -> check();
      case "open" -> open(Integer.parseInt(words[1]));
      case "exchange" -> exchange();
      default -> throw new IllegalArgumentException("unknown command for a client: " + words[0]);
    };
  }

  private String check() {
    IntStream.range(0, shape.channels()).forEach(target::callOnce);
    return new JsonLine().with("calls", shape.channels()).toString();
  }

  private String round(String[] words) throws InterruptedException {
    Load.Pace pace = words.length > 2 ? pace(words[2]) : new Load.Pace.Closed();
    Duration time = Duration.ofMillis(Long.parseLong(words[1]));
    Load load =
        new Load(shape.channels(), callsPerChannel, shape.payloads(), pace, Duration.ZERO, time);
    Figures figures = new Measurement(load, target, patience).take();
    return new JsonLine()
        .with("calls", figures.latencyNanos().getTotalCount())
        .with("seconds", figures.elapsed().toNanos() / NANOS_PER_SECOND)
        .with("allocatedBytes", figures.cost().allocatedBytes())
        .with("cpuNanos", figures.cost().cpuNanos())
        .with("latencyNanos", encoded(figures.latencyNanos()))
        .toString();
  }

  private static Load.Pace pace(String word) {
    return word.equals("full")
        ? new Load.Pace.Full()
        : new Load.Pace.Open(Double.parseDouble(word));
  }

  private String open(int streamsPerChannel) {
    for (int i = 0; i < streamsPerChannel * shape.channels(); i++) {
      streams.add(target.openStream(i % shape.channels(), runOfStreams));
    }
    return exchange();
  }

  private String exchange() {
    for (Target.OpenStream stream : streams) {
      runOfStreams.loopBegins();
      stream.exchange();
    }
    boolean all = runOfStreams.awaitLoops(MAX_EXCHANGE);
    runOfStreams
        .failure()
        .ifPresent(what -> {
          throw new RunFailedException(what);
        });
    if (!all) {
      throw new RunFailedException(
          "%d streams had no answer after %d s"
              .formatted(runOfStreams.underWay(), MAX_EXCHANGE.toSeconds()));
    }
    return new JsonLine().with("streams", streams.size()).toString();
  }

  private static String encoded(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int bytes = histogram.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), bytes));
  }
}
