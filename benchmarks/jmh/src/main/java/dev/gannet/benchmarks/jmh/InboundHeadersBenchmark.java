package dev.gannet.benchmarks.jmh;

import dev.gannet.api.Metadata;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.hpack.HpackDecoder;
import dev.gannet.http2.message.MessageFields;
import dev.gannet.protocol.RequestHead;
import dev.gannet.protocol.RequestProtocols;
import dev.gannet.protocol.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2HeadersDecoder;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What a header list costs that arrives on a warm connection: ours from its octets through the
 * grammar of HTTP to the head and the {@link Metadata} of a call, beside Netty's decoder from the
 * same octets to its {@code DefaultHttp2Headers}.
 *
 * <p>An operation is one list. Each invocation decodes the life of a connection from its first list
 * on, so the tables of both move as they do with that peer. With {@code -prof gc} the bytes that
 * are allocated for a list.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class InboundHeadersBenchmark {
  private static final int LISTS = 8192;
  private static final int TABLE_BYTES = 4096;
  private static final int MAX_LIST_BYTES = 8192;
  private static final int MAX_FIELDS = 100;

  /** What the peer sends. */
  @Param public HeaderShape shape = HeaderShape.GRPC_JAVA;

  private ByteBuffer[] blocks = {};
  private ByteBuf[] nettyBlocks = {};

  /** Writes the blocks of the peer. */
  @Setup
  public void write() {
    List<byte[]> octets = shape.blocks(LISTS);
    blocks = octets.stream().map(ByteBuffer::wrap).toArray(ByteBuffer[]::new);
    nettyBlocks = octets.stream().map(Unpooled::wrappedBuffer).toArray(ByteBuf[]::new);
  }

  @Benchmark
  @OperationsPerInvocation(LISTS)
  public void gannet(Blackhole sink) {
    HpackDecoder decoder = new HpackDecoder(TABLE_BYTES, MAX_LIST_BYTES, MAX_FIELDS);
    boolean requests = shape.side() == HeaderShape.Side.REQUEST;
    for (ByteBuffer block : blocks) {
      block.position(0);
      HeaderList list = (HeaderList) decoder.decode(block);
      sink.consume(MessageFields.of(list));
      if (requests) {
        takeRequest(list, sink);
      } else {
        takeResponse(list, sink);
      }
    }
  }

  private static void takeRequest(HeaderList list, Blackhole sink) {
    RequestHead.Call head = (RequestHead.Call) RequestProtocols.GRPC.headOf(list);
    sink.consume(head.timeoutNanos(list).orElse(0));
    sink.consume(head.pathField());
    sink.consume(head.metadata(list));
  }

  private static void takeResponse(HeaderList list, Blackhole sink) {
    ResponseHead head = ResponseHead.of(list);
    sink.consume(head.hasStatus());
    sink.consume(head.metadata());
  }

  /**
   * Netty's decoder, which checks names and values by default.
   *
   * @throws Http2Exception never: the blocks are sound
   */
  @Benchmark
  @OperationsPerInvocation(LISTS)
  public void netty(Blackhole sink) throws Http2Exception {
    Http2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(true, MAX_LIST_BYTES);
    for (ByteBuf block : nettyBlocks) {
      block.readerIndex(0);
      sink.consume(decoder.decodeHeaders(1, block));
    }
  }
}
