package dev.gannet.fuzz.targets;

import dev.gannet.fuzz.targets.NettyHpack.Field;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import java.util.ArrayList;
import java.util.List;

/** Header lists as plain values. */
final class Fields {
  private Fields() {}

  static List<Field> plain(HeaderList list) {
    List<Field> fields = new ArrayList<>();
    for (HeaderField field : list) {
      fields.add(new Field(field.name(), field.value()));
    }
    return fields;
  }
}
