package dev.gannet.benchmarks.jmh;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** grpc-java's marshaller of arrays, as fast as its own marshaller of protobuf. */
public final class KnownLengthBytes implements MethodDescriptor.Marshaller<byte[]> {
  @Override
  public InputStream stream(byte[] message) {
    return new Source(message);
  }

  @Override
  public byte[] parse(InputStream stream) {
    try {
      return whole(stream);
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot be read", e);
    }
  }

  /**
   * Reads everything into one array of the right size; {@code readNBytes(int)} would read pieces.
   */
  static byte[] whole(InputStream stream) throws IOException {
    byte[] bytes = new byte[stream.available()];
    int read = stream.readNBytes(bytes, 0, bytes.length);
    if (read != bytes.length) {
      throw new IOException(read + " bytes of " + bytes.length);
    }
    return bytes;
  }

  private static final class Source extends ByteArrayInputStream implements Drainable, KnownLength {
    Source(byte[] message) {
      super(message);
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      int bytes = count - pos;
      target.write(buf, pos, bytes);
      pos = count;
      return bytes;
    }
  }
}
