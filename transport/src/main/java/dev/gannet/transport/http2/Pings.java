package dev.gannet.transport.http2;

import dev.gannet.api.Status;
import dev.gannet.transport.ClientTransport.Ping;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * PINGs whose answer a caller waits for, in contrast to those that the connection sends for its own
 * keepalive. Confined to the connection's loop.
 */
final class Pings {
  /** The start of the opaque data: no other PING of this side starts like this. */
  private static final long PREFIX = 0x67616e6e65740000L;

  private record Sent(Ping ping, long atNanos) {}

  private final LinkedHashMap<Long, Sent> sent = new LinkedHashMap<>();
  private long last = PREFIX;

  /**
   * Stores a waiting ping; returns the opaque data to send. Forgets the oldest ones if nobody waits
   * for them any more: a server that does not answer must not make this grow without end.
   */
  long add(Ping ping, long nowNanos) {
    while (!sent.isEmpty() && sent.firstEntry().getValue().ping().isOver()) {
      sent.pollFirstEntry();
    }
    last++;
    sent.put(last, new Sent(ping, nowNanos));
    return last;
  }

  void onAnswer(long opaque, long nowNanos) {
    Sent answered = sent.remove(opaque);
    if (answered != null) {
      answered.ping().onAnswer(nowNanos - answered.atNanos());
    }
  }

  /** No answer will come. */
  void failAll(Status why) {
    List<Sent> left = List.copyOf(sent.values());
    sent.clear();
    left.forEach(it -> it.ping().onFailed(why));
  }
}
