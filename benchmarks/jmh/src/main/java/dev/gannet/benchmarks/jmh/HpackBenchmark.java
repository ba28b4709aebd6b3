package dev.gannet.benchmarks.jmh;

import dev.gannet.http2.hpack.Decoded;
import dev.gannet.http2.hpack.HeaderBlock;
import dev.gannet.http2.hpack.HpackDecoder;
import dev.gannet.http2.hpack.HpackEncoder;
import dev.gannet.http2.hpack.HuffmanUse;
import dev.gannet.http2.hpack.Indexing;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersDecoder;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What the Huffman code costs and saves for a field that does not enter the table, and so is
 * written and read again in each block: two senders' times, two readers' times, and the octets on
 * the wire, which are printed.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HpackBenchmark {
  private static final int TABLE_BYTES = 4096;

  /** So many values that each is forgotten before it is repeated. */
  private static final int VALUES = 1 << 12;

  /** A field as gRPC sends it. */
  public enum Passing {
    TIMEOUT("grpc-timeout", "999987u", Indexing.SKIPPED),
    TRACE(
        "traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", Indexing.SKIPPED),
    BINARY("grpc-trace-bin", "AAAk9sJSmv8+UkWn0TSvCuoRAfCk3nMQfFGJAgE", Indexing.SKIPPED),
    MESSAGE(
        "grpc-message", "no account 4711; did you mean 4712, or 4713?".repeat(3), Indexing.SKIPPED),
    TOKEN(
        "authorization",
        "Bearer " + "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.".repeat(18),
        Indexing.NEVER);

    private final String name;
    private final String value;
    private final Indexing indexing;

    Passing(String name, String value, Indexing indexing) {
      this.name = name;
      this.value = value;
      this.indexing = indexing;
    }
  }

  /** The written value. */
  @Param public Passing passing = Passing.TIMEOUT;

  @Param public HuffmanUse huffmanUse = HuffmanUse.FOR_THE_TABLE;

  private HpackEncoder encoder = new HpackEncoder(TABLE_BYTES);
  private final HeaderBlock out = new HeaderBlock();
  private final HpackDecoder decoder = new HpackDecoder(TABLE_BYTES, 1 << 14, 100);
  private final Http2HeadersDecoder netty = new DefaultHttp2HeadersDecoder();
  private final Http2HeadersEncoder nettyEncoder =
      new DefaultHttp2HeadersEncoder((name, value) -> true);
  private final ByteBuf nettyOut = Unpooled.buffer();
  private final List<String> values = new ArrayList<>();
  private final List<ByteBuffer> blocks = new ArrayList<>();
  private final List<ByteBuf> nettyBlocks = new ArrayList<>();
  private final List<Http2Headers> nettyHeaders = new ArrayList<>();
  private int turn;

  /** Writes all values of the field once, and prints their size in octets. */
  @Setup
  public void write() {
    encoder = new HpackEncoder(TABLE_BYTES, huffmanUse);
    long octetsOfAll = 0;
    for (int i = 0; i < VALUES; i++) {
      values.add(String.format("%04d", i) + passing.value.substring(4));
      encode(values.getLast());
      byte[] octets = Arrays.copyOf(out.array(), out.length());
      blocks.add(ByteBuffer.wrap(octets));
      nettyBlocks.add(Unpooled.wrappedBuffer(octets));
      nettyHeaders.add(new DefaultHttp2Headers().add(passing.name, values.getLast()));
      octetsOfAll += octets.length;
    }
    System.out.println("octets on the wire: " + octetsOfAll / VALUES);
  }

  private int next() {
    turn = (turn + 1) % VALUES;
    return turn;
  }

  private int encode(String value) {
    out.clear();
    encoder.begin(out);
    encoder.encode(passing.name, value, passing.indexing, out);
    return out.length();
  }

  @Benchmark
  public int encode() {
    return encode(values.get(next()));
  }

  /**
   * Netty's encoder; the field is marked as sensitive, because it would put all others into its
   * table. It uses the Huffman code for values of 512 characters and more.
   *
   * @throws Http2Exception never: the list is short
   */
  @Benchmark
  public int encodeByNetty() throws Http2Exception {
    nettyOut.clear();
    nettyEncoder.encodeHeaders(1, nettyHeaders.get(next()), nettyOut);
    return nettyOut.writerIndex();
  }

  /** Gannet's decoder, which knows none of the earlier blocks. */
  @Benchmark
  public Decoded decode() {
    ByteBuffer block = blocks.get(next());
    block.position(0);
    return decoder.decode(block);
  }

  /**
   * Netty's decoder.
   *
   * @throws Http2Exception never: the block is sound
   */
  @Benchmark
  public Http2Headers decodeByNetty() throws Http2Exception {
    ByteBuf block = nettyBlocks.get(next());
    block.readerIndex(0);
    return netty.decodeHeaders(1, block);
  }
}
