package dev.gannet.protocol;

import dev.gannet.api.Metadata;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.hpack.Indexing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Metadata as header fields, and header fields as metadata (PROTOCOL-HTTP2, Custom-Metadata). */
final class MetadataFields {
  private MetadataFields() {}

  /**
   * Adds the metadata that an application sends. Fields that belong to the protocol are left out.
   */
  static void write(Metadata metadata, List<HeaderField> into) {
    if (!metadata.isEmpty()) {
      metadata.forEach(new Writer(into));
    }
  }

  private record Writer(List<HeaderField> into) implements Metadata.Visitor {
    @Override
    public void text(String name, String value) {
      if (FieldNames.isForApplications(name)) {
        Indexing indexing =
            name.equals(FieldNames.AUTHORIZATION) ? Indexing.NEVER : Indexing.ALLOWED;
        into.add(HeaderField.of(name, value, indexing));
      }
    }

    @Override
    public void binary(String name, byte[] value) {
      if (FieldNames.isForApplications(name)) {
        into.add(HeaderField.of(name, BinaryHeader.encode(value), Indexing.SKIPPED));
      }
    }
  }

  /**
   * The metadata among received fields; empty if a binary value is broken. The array may be shared
   * by many calls.
   */
  static Optional<Object[]> read(HeaderList fields) {
    List<Object> namesAndValues = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      HeaderField field = fields.field(i);
      if (FieldNames.isOfTheProtocol(field.name())) {
        continue;
      }
      if (!field.name().endsWith(Metadata.BINARY_SUFFIX)) {
        namesAndValues.add(field.name());
        namesAndValues.add(field.value());
      } else if (!readBinary(field, namesAndValues)) {
        return Optional.empty();
      }
    }
    return Optional.of(namesAndValues.toArray());
  }

  /**
   * What a received binary field means: its values, or that they are broken. Made once per table
   * entry.
   */
  private static Optional<List<byte[]>> binaryValues(HeaderField field) {
    return BinaryHeader.decode(field.value());
  }

  private static boolean readBinary(HeaderField field, List<Object> namesAndValues) {
    if (!(field.meaning(MetadataFields::binaryValues) instanceof Optional<?> values)
        || values.isEmpty()) {
      return false;
    }
    for (Object value : (List<?>) values.get()) {
      namesAndValues.add(field.name());
      namesAndValues.add(value);
    }
    return true;
  }
}
