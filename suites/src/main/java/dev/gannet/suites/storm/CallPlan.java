package dev.gannet.suites.storm;

import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.suites.Side;
import java.util.OptionalLong;

/**
 * The plan of one call of a storm, for both ends.
 *
 * @param answering when its server sends
 * @param ending how its server ends it
 * @param quirk what its client does wrong, if anything
 * @param cancelNanos after which time its client cancels
 * @param deadlineNanos by which time it must have ended; both from its start
 */
record CallPlan(
    int number,
    MethodType type,
    boolean compressed,
    Part client,
    Part server,
    Answering answering,
    Ending ending,
    Quirk quirk,
    OptionalLong cancelNanos,
    OptionalLong deadlineNanos,
    boolean waitsForReady) {

  /** When a server sends. */
  enum Answering {
    BEHIND_REQUESTS,
    AT_ONCE,
    /** A response after each request. */
    IN_TURN,
    /** Some time behind the requests. */
    LATE,
    /** Never: a handler that is stuck. */
    NEVER
  }

  /** How a server ends a call. */
  enum Ending {
    OK,
    ABORTED,
    CANCELLED,
    /** The handler throws a status at its first event. */
    THROWN_STATUS,
    /** The handler throws an exception that is not a status, before there is a listener. */
    THROWN_AT_START,
    /** The handler throws an exception that is not a status, at the first message. */
    THROWN_AT_MESSAGE
  }

  /** What a client does that no correct client does. */
  enum Quirk {
    NONE,
    NEVER_HALF_CLOSES,
    CANCELS_AT_HEADERS,
    CANCELS_AT_MESSAGE,
    THROWS_AT_MESSAGE,
    CANCELS_TWICE_AND_TALKS_ON
  }

  static final Status PLANNED_ABORT = Status.ABORTED.withDescription("as planned");
  static final Status PLANNED_CANCEL = Status.CANCELLED.withDescription("the handler says so");
  static final Status PLANNED_THROW = Status.NOT_FOUND.withDescription("thrown as planned");

  private static final long LATEST_CANCEL_NANOS = 1_500_000_000L;
  private static final long LATEST_DEADLINE_NANOS = 3_000_000_000L;

  static CallPlan random(int number, Odds odds) {
    MethodType type = odds.oneOf(MethodType.values());
    Quirk quirk = odds.oneIn(10) ? odds.oneOf(Quirk.values()) : Quirk.NONE;
    Part client = Part.random(number, Side.CLIENT, type.clientSendsOneMessage(), odds);
    Part server = Part.random(number, Side.SERVER, type.serverSendsOneMessage(), odds);
    return new CallPlan(
        number,
        type,
        odds.oneIn(10),
        client,
        type.clientSendsOneMessage() ? server.askingOnce() : server,
        answering(odds),
        odds.oneIn(5) ? odds.oneOf(Ending.values()) : Ending.OK,
        quirk,
        maybe(5, LATEST_CANCEL_NANOS, odds),
        maybe(3, LATEST_DEADLINE_NANOS, odds),
        odds.oneIn(4));
  }

  /** A call that ends normally if client and server can reach each other. */
  static CallPlan plain(int number) {
    return new CallPlan(
        number,
        MethodType.UNARY,
        false,
        Part.plain(number, Side.CLIENT),
        Part.plain(number, Side.SERVER),
        Answering.BEHIND_REQUESTS,
        Ending.OK,
        Quirk.NONE,
        OptionalLong.empty(),
        OptionalLong.empty(),
        true);
  }

  /** The same without compression. */
  CallPlan uncompressed() {
    return new CallPlan(
        number,
        type,
        false,
        client,
        server,
        answering,
        ending,
        quirk,
        cancelNanos,
        deadlineNanos,
        waitsForReady);
  }

  private static Answering answering(Odds odds) {
    return switch (odds.below(16)) {
      case 0 -> Answering.NEVER;
      case 1, 2 -> Answering.LATE;
      case 3, 4, 5 -> Answering.AT_ONCE;
      case 6, 7, 8 -> Answering.IN_TURN;
      default -> Answering.BEHIND_REQUESTS;
    };
  }

  private static OptionalLong maybe(int oneIn, long mostNanos, Odds odds) {
    if (!odds.oneIn(oneIn)) {
      return OptionalLong.empty();
    }
    long scale = 1L << odds.below(Long.SIZE - Long.numberOfLeadingZeros(mostNanos) + 1);
    return OptionalLong.of(odds.nanosBelow(Math.min(scale, mostNanos)));
  }

  boolean sendsOne(Side side) {
    return side == Side.CLIENT ? type.clientSendsOneMessage() : type.serverSendsOneMessage();
  }

  /** Whether it may last until its client cancels or its deadline passes. */
  boolean mayLastForever() {
    return answering == Answering.NEVER
        || quirk == Quirk.NEVER_HALF_CLOSES
        || client.stopsReading()
        || server.stopsReading();
  }

  /** The status code that its handler ends with. */
  Status.Code endCode() {
    return switch (ending) {
      case OK -> Status.Code.OK;
      case ABORTED -> PLANNED_ABORT.code();
      case CANCELLED -> PLANNED_CANCEL.code();
      case THROWN_STATUS -> PLANNED_THROW.code();
      case THROWN_AT_START, THROWN_AT_MESSAGE -> Status.Code.UNKNOWN;
    };
  }

  @Override
  public String toString() {
    String limits =
        (cancelNanos.isPresent() ? ", given up after " + cancelNanos.getAsLong() + " ns" : "")
            + (deadlineNanos.isPresent() ? ", within " + deadlineNanos.getAsLong() + " ns" : "")
            + (quirk == Quirk.NONE ? "" : ", " + quirk)
            + (compressed ? ", compressed" : "");
    return "call %d (%s: %s; %s: %s, %s%s)"
        .formatted(number, type, client, answering, server, ending, limits);
  }
}
