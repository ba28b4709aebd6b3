package dev.gannet.services;

import com.google.protobuf.ByteString;
import dev.gannet.services.binarylog.v1.Metadata;
import dev.gannet.services.binarylog.v1.MetadataEntry;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * The fields of metadata that a binary log stores, up to a number of bytes.
 *
 * @param truncated whether fields were omitted because of it
 */
record BinaryLogFields(Metadata kept, boolean truncated) {
  private static final String TRACE = "grpc-trace-bin";

  /** Fields that do not belong to the application: gRPC's, HTTP's, and credentials. */
  private static final Set<String> LEFT_OUT =
      Set.of(
          "accept-encoding",
          "authorization",
          "content-encoding",
          "content-length",
          "content-type",
          "lb-token",
          "te",
          "user-agent");

  static BinaryLogFields of(dev.gannet.api.Metadata metadata, int mostBytes) {
    if (metadata.isEmpty()) {
      return new BinaryLogFields(Metadata.getDefaultInstance(), false);
    }
    Taking taking = new Taking(mostBytes);
    metadata.forEach(taking);
    return new BinaryLogFields(taking.kept.build(), taking.truncated);
  }

  private static final class Taking implements dev.gannet.api.Metadata.Visitor {
    private final Metadata.Builder kept = Metadata.newBuilder();
    private int leftBytes;
    private boolean truncated;

    Taking(int mostBytes) {
      this.leftBytes = mostBytes;
    }

    @Override
    public void text(String name, String value) {
      take(name, ByteString.copyFrom(value, StandardCharsets.ISO_8859_1));
    }

    @Override
    public void binary(String name, byte[] value) {
      take(name, ByteString.copyFrom(value));
    }

    private void take(String name, ByteString value) {
      int bytes = name.length() + value.size();
      if (name.equals(TRACE)) {
        add(name, value);
      } else if (!name.startsWith("grpc-") && !LEFT_OUT.contains(name)) {
        if (truncated || bytes > leftBytes) {
          truncated = true;
        } else {
          leftBytes -= bytes;
          add(name, value);
        }
      }
    }

    private void add(String name, ByteString value) {
      kept.addEntry(MetadataEntry.newBuilder().setKey(name).setValue(value));
    }
  }
}
