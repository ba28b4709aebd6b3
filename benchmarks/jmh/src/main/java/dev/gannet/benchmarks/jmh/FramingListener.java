package dev.gannet.benchmarks.jmh;

import io.grpc.internal.MessageDeframer;
import io.grpc.internal.StreamListener;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.openjdk.jmh.infra.Blackhole;

/** Reads what grpc-java's deframer delivers, each message into its own array. */
final class FramingListener implements MessageDeframer.Listener {
  private final Blackhole sink;

  FramingListener(Blackhole sink) {
    this.sink = sink;
  }

  @Override
  public void bytesRead(int bytes) {}

  @Override
  public void messagesAvailable(StreamListener.MessageProducer messages) {
    for (InputStream next = messages.next(); next != null; next = messages.next()) {
      try (InputStream message = next) {
        sink.consume(KnownLengthBytes.whole(message));
      } catch (IOException e) {
        throw new UncheckedIOException("memory cannot be read", e);
      }
    }
  }

  @Override
  public void deframerClosed(boolean hasPartialMessage) {}

  @Override
  public void deframeFailed(Throwable cause) {
    throw new IllegalStateException("what was framed cannot be read", cause);
  }
}
