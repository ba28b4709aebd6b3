package dev.gannet.benchmarks.jmh;

import dev.gannet.api.Marshaller;
import dev.gannet.protocol.Deframer;
import dev.gannet.protocol.MessageDeframer;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageFrame;
import dev.gannet.protocol.MessageSizeLimit;
import dev.gannet.transport.memory.SpareArrays;
import io.grpc.Codec;
import io.grpc.internal.MessageFramer;
import io.grpc.internal.ReadableBuffers;
import io.grpc.internal.StatsTraceContext;
import io.grpc.internal.TransportTracer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/**
 * A message into its frame, and out of it again as an array: ours beside grpc-java's framer and
 * deframer, with buffers of the heap, which are cheaper for both than what their transports use.
 *
 * <p>Frames arrive in pieces of 16 KiB, as DATA does.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MessageFramingBenchmark {
  private static final int DATA_BYTES = 16 << 10;
  private static final int MAX_BYTES = 4 << 20;
  private static final Marshaller<byte[]> ARRAYS = new Bytes();

  private static final KnownLengthBytes SOURCES = new KnownLengthBytes();

  /** The length of a message. */
  @Param({"0", "1024", "65536", "1048576"})
  public int bytes;

  private final HeapBuffers buffers = new HeapBuffers();
  private byte[] message = {};
  private byte[] frame = {};
  private int frameBytes;

  @Setup
  public void write() {
    message = new byte[bytes];
    Arrays.fill(message, (byte) 'm');
    ByteBuffer whole = MessageFrame.frame(ARRAYS, message, SpareArrays.SHARED);
    frameBytes = whole.remaining();
    frame = new byte[frameBytes];
    whole.get(frame);
  }

  @Benchmark
  public void frameByGannet(Blackhole sink) {
    ByteBuffer framed = MessageFrame.frame(ARRAYS, message, SpareArrays.SHARED);
    sink.consume(framed);
    SpareArrays.SHARED.give(framed);
  }

  @Benchmark
  public void frameByGrpcJava(Blackhole sink) {
    MessageFramer framer =
        new MessageFramer(
            (buffer, endOfStream, flush, messages) -> {
              if (buffer != null) {
                sink.consume(buffer);
                buffer.release();
              }
            },
            buffers,
            StatsTraceContext.NOOP);
    framer.writePayload(SOURCES.stream(message));
    framer.flush();
  }

  @Benchmark
  public void deframeByGannet(Blackhole sink) {
    MessageDeframer deframer =
        new MessageDeframer(
            MessageEncoding.IDENTITY,
            MAX_BYTES,
            MessageSizeLimit.OF_RECEIVED_REQUESTS,
            SpareArrays.SHARED);
    Deframer.Receiver receiver =
        (content, ownership, encoding) -> {
          sink.consume(ARRAYS.parse(content));
          if (ownership == Deframer.Ownership.GIVEN) {
            SpareArrays.SHARED.give(content);
          }
        };
    for (int at = 0; at < frameBytes; at += DATA_BYTES) {
      deframer.push(ByteBuffer.wrap(frame, at, Math.min(DATA_BYTES, frameBytes - at)), receiver);
    }
  }

  @Benchmark
  public void deframeByGrpcJava(Blackhole sink) {
    io.grpc.internal.MessageDeframer deframer =
        new io.grpc.internal.MessageDeframer(
            new FramingListener(sink),
            Codec.Identity.NONE,
            MAX_BYTES,
            StatsTraceContext.NOOP,
            new TransportTracer());
    deframer.request(1);
    for (int at = 0; at < frameBytes; at += DATA_BYTES) {
      deframer.deframe(ReadableBuffers.wrap(frame, at, Math.min(DATA_BYTES, frameBytes - at)));
    }
    deframer.close();
  }
}
