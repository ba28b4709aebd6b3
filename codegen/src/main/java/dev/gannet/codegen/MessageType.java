package dev.gannet.codegen;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.GeneratorNames;

/**
 * A class that protoc's own Java generator writes.
 *
 * @param packageName empty for the unnamed package
 * @param className including the classes it is nested in, as in {@code Outer.Inner}
 */
record MessageType(String packageName, String className) {
  static MessageType of(Descriptor message) {
    String packageName = GeneratorNames.getFileJavaPackage(message.getFile());
    return new MessageType(
        packageName, withoutPackage(GeneratorNames.getQualifiedClassName(message), packageName));
  }

  /** The class that holds the descriptor of the file. */
  static MessageType ofFile(FileDescriptor file) {
    return new MessageType(
        GeneratorNames.getFileJavaPackage(file), GeneratorNames.getFileClassName(file));
  }

  /** Whether the message's class, or one that it is nested in, is deprecated. */
  static boolean isDeprecated(Descriptor message) {
    Descriptor outer = message.getContainingType();
    return message.getOptions().getDeprecated() || (outer != null && isDeprecated(outer));
  }

  private static String withoutPackage(String qualified, String packageName) {
    return packageName.isEmpty() ? qualified : qualified.substring(packageName.length() + 1);
  }
}
