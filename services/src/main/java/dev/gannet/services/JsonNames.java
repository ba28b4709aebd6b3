package dev.gannet.services;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import java.util.List;

/**
 * The names that fields have in JSON, which {@code protoc} leaves out of generated classes. Tools
 * print messages with the names of the schema that they are shown: {@code callsStarted}, as the
 * JSON of Protocol Buffers has it, only if it says so.
 */
final class JsonNames {
  private JsonNames() {}

  /** The file with them. */
  static FileDescriptorProto in(FileDescriptor file) {
    FileDescriptorProto.Builder proto = file.toProto().toBuilder();
    List<Descriptor> messages = file.getMessageTypes();
    for (int i = 0; i < messages.size(); i++) {
      add(messages.get(i), proto.getMessageTypeBuilder(i));
    }
    return proto.build();
  }

  private static void add(Descriptor message, DescriptorProto.Builder proto) {
    List<FieldDescriptor> fields = message.getFields();
    for (int i = 0; i < fields.size(); i++) {
      proto.getFieldBuilder(i).setJsonName(fields.get(i).getJsonName());
    }
    List<Descriptor> nested = message.getNestedTypes();
    for (int i = 0; i < nested.size(); i++) {
      add(nested.get(i), proto.getNestedTypeBuilder(i));
    }
  }
}
