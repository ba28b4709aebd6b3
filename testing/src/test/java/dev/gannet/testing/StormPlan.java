package dev.gannet.testing;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * What one call of a storm will do, at both ends.
 *
 * @param requests what its client sends unless the call ends before
 * @param responses what its server sends unless the call ends before
 * @param end what its server ends it with
 * @param answering whether its server waits for the end of the requests
 * @param sending whether both ends wait until they are ready to send
 * @param cancelAfter when its client gives up
 * @param deadline when it must have ended, from its start
 * @param encoding what both ends compress with
 */
record StormPlan(
    MethodDescriptor<String, String> method,
    List<String> requests,
    List<String> responses,
    Status end,
    Answering answering,
    Sending sending,
    Optional<Duration> cancelAfter,
    Optional<Duration> deadline,
    String encoding) {
  enum Answering {
    BEHIND_REQUESTS,
    AT_ONCE
  }

  enum Sending {
    POLITE,
    CARELESS
  }

  private static final int MOST_MESSAGES = 12;
  private static final List<MethodDescriptor<String, String>> METHODS =
      List.of(Texts.UNARY, Texts.CLIENT_STREAMING, Texts.SERVER_STREAMING, Texts.BIDI);

  static StormPlan random(int number, SplittableRandom random) {
    MethodDescriptor<String, String> method = METHODS.get(random.nextInt(METHODS.size()));
    boolean oneRequest = method.type().clientSendsOneMessage();
    boolean oneResponse = method.type().serverSendsOneMessage();
    int requests = oneRequest ? 1 : random.nextInt(MOST_MESSAGES);
    int responses = oneResponse ? 1 : random.nextInt(MOST_MESSAGES);
    boolean waits = oneRequest || random.nextInt(4) > 0;
    return new StormPlan(
        method,
        messages("request " + number, requests, random),
        messages("response " + number, responses, random),
        random.nextInt(5) == 0 ? Status.ABORTED.withDescription("as planned") : Status.OK,
        waits ? Answering.BEHIND_REQUESTS : Answering.AT_ONCE,
        random.nextInt(3) == 0 ? Sending.CARELESS : Sending.POLITE,
        maybe(5, 2_000, random),
        maybe(3, 3_000, random),
        random.nextInt(4) == 0 ? "gzip" : "identity");
  }

  private static Optional<Duration> maybe(int oneIn, int mostMillis, SplittableRandom random) {
    return random.nextInt(oneIn) > 0
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(random.nextLong(mostMillis * 1_000_000L)));
  }

  private static List<String> messages(String name, int count, SplittableRandom random) {
    List<String> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int length =
          switch (random.nextInt(40)) {
            case 0 -> random.nextInt(1_500_000);
            case 1, 2, 3, 4 -> random.nextInt(100_000);
            default -> random.nextInt(200);
          };
      String text = name + " " + i + " ";
      messages.add(length == 0 ? "" : text + Texts.ofLength(length));
    }
    return messages;
  }
}
