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
import io.netty.handler.codec.http2.EmptyHttp2Headers;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersDecoder;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import java.nio.ByteBuffer;
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
 * written and read anew in each block: two senders' times, two readers' times, and the octets on
 * the wire, which are printed.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HpackBenchmark {
  private static final int TABLE_BYTES = 4096;

  /** A field as gRPC sends them. */
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

  /** What is written. */
  @Param public Passing passing = Passing.TIMEOUT;

  @Param public HuffmanUse huffmanUse = HuffmanUse.FOR_THE_TABLE;

  private HpackEncoder encoder = new HpackEncoder(TABLE_BYTES);
  private final HeaderBlock out = new HeaderBlock();
  private final HpackDecoder decoder = new HpackDecoder(TABLE_BYTES, 1 << 14, 100);
  private final Http2HeadersDecoder netty = new DefaultHttp2HeadersDecoder();
  private ByteBuffer block = ByteBuffer.allocate(0);
  private ByteBuf nettyBlock = Unpooled.EMPTY_BUFFER;
  private final Http2HeadersEncoder nettyEncoder =
      new DefaultHttp2HeadersEncoder((name, value) -> true);
  private final ByteBuf nettyOut = Unpooled.buffer();
  private Http2Headers nettyHeaders = EmptyHttp2Headers.INSTANCE;

  /** Writes the field once and prints how many octets it takes. */
  @Setup
  public void write() {
    encoder = new HpackEncoder(TABLE_BYTES, huffmanUse);
    encode();
    byte[] octets = new byte[out.length()];
    System.arraycopy(out.array(), 0, octets, 0, octets.length);
    block = ByteBuffer.wrap(octets);
    nettyBlock = Unpooled.wrappedBuffer(octets);
    nettyHeaders = new DefaultHttp2Headers().add(passing.name, passing.value);
    System.out.println("octets on the wire: " + octets.length);
  }

  @Benchmark
  public int encode() {
    out.clear();
    encoder.begin(out);
    encoder.encode(passing.name, passing.value, passing.indexing, out);
    return out.length();
  }

  /**
   * Netty's, which is told that the field is a secret, for it would put all others into its table;
   * it uses the Huffman code for values of 512 characters and more.
   *
   * @throws Http2Exception never: the list is short
   */
  @Benchmark
  public int encodeByNetty() throws Http2Exception {
    nettyOut.clear();
    nettyEncoder.encodeHeaders(1, nettyHeaders, nettyOut);
    return nettyOut.writerIndex();
  }

  /** Ours, which looks a block up that it knows, but for secrets. */
  @Benchmark
  public Decoded decode() {
    block.position(0);
    return decoder.decode(block);
  }

  /**
   * Netty's.
   *
   * @throws Http2Exception never: the block is sound
   */
  @Benchmark
  public Http2Headers decodeByNetty() throws Http2Exception {
    nettyBlock.readerIndex(0);
    return netty.decodeHeaders(1, nettyBlock);
  }
}
