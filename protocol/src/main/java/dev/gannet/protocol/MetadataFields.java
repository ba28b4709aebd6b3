package dev.gannet.protocol;

import dev.gannet.api.Metadata;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.hpack.Indexing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Converts metadata to header fields, and header fields to metadata (PROTOCOL-HTTP2,
 * Custom-Metadata).
 */
final class MetadataFields {
  /** The error text for metadata that cannot be decoded. */
  static final String UNREADABLE = "a binary header is not base64, or joins too many values";

  private static final byte[][] BROKEN = {};

  private MetadataFields() {}

  /**
   * Adds the metadata that an application sends. Fields that belong to the protocol are left out.
   */
  static void write(Metadata metadata, List<HeaderField> fields) {
    if (!metadata.isEmpty()) {
      metadata.forEach(new Writer(fields));
    }
  }

  private record Writer(List<HeaderField> fields) implements Metadata.Visitor {
    @Override
    public void text(String name, String value) {
      if (FieldNames.isForApplications(name)) {
        Indexing indexing =
            name.equals(FieldNames.AUTHORIZATION) ? Indexing.NEVER : Indexing.ALLOWED;
        fields.add(HeaderField.of(name, value, indexing));
      }
    }

    @Override
    public void binary(String name, byte[] value) {
      if (FieldNames.isForApplications(name)) {
        fields.add(HeaderField.of(name, BinaryHeader.encode(value), Indexing.SKIPPED));
      }
    }
  }

  /**
   * The metadata among received fields; empty if a binary value is broken or too many are joined.
   * The array may be shared by many calls.
   */
  static Optional<Object[]> read(HeaderList fields) {
    List<Object> namesAndValues = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      HeaderField field = fields.field(i);
      if (isMetadata(field) && !add(field, namesAndValues)) {
        return Optional.empty();
      }
    }
    return Optional.of(namesAndValues.toArray());
  }

  /** Whether a received field is visible to applications. */
  static boolean isMetadata(HeaderField field) {
    return !FieldNames.isOfTheProtocol(field.name());
  }

  /** Adds name and value, or each of several values; returns whether the field could be decoded. */
  static boolean add(HeaderField field, List<Object> namesAndValues) {
    if (!isBinary(field)) {
      namesAndValues.add(field.name());
      namesAndValues.add(field.value());
      return true;
    }
    byte[][] values = binaryValues(field);
    if (values.length > 1 && namesAndValues.size() / 2 + values.length > BinaryHeader.MAX_VALUES) {
      return false;
    }
    for (byte[] value : values) {
      namesAndValues.add(field.name());
      namesAndValues.add(value);
    }
    return values.length > 0;
  }

  static boolean isBinary(HeaderField field) {
    return field.name().endsWith(Metadata.BINARY_SUFFIX);
  }

  /**
   * The values of a binary field, decoded once for each table entry; none if they are malformed.
   */
  static byte[][] binaryValues(HeaderField field) {
    return field.attachment(byte[][].class, MetadataFields::decode);
  }

  private static byte[][] decode(HeaderField field) {
    return BinaryHeader.decode(field.value())
        .map(values -> values.toArray(byte[][]::new))
        .orElse(BROKEN);
  }
}
