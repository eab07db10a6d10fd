package io.clusterwright.core.internal.text;

import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Reasons of failures in words, for messages: no names of Java classes where there is a better word. */
public final class Reason {
    private Reason() {}

    /** The reason that this exception stands for. */
    public static String of(Throwable failure) {
        if (failure instanceof InterruptedException || failure instanceof ClosedByInterruptException) {
            return "interrupted";
        }
        if (failure instanceof CharacterCodingException) {
            return "it is not text in UTF-8";
        }
        if (failure instanceof FileSystemException file) {
            return ofFile(file);
        }
        String message = failure.getMessage();
        if (message == null || message.isBlank()) {
            return failure.getClass().getSimpleName();
        }
        return message;
    }

    private static String ofFile(FileSystemException failure) {
        String file = failure.getFile();
        String subject = file == null ? "" : file + ": ";
        if (failure instanceof NoSuchFileException) {
            return subject + "no such file or folder";
        }
        if (failure instanceof AccessDeniedException) {
            return subject + "permission denied";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return subject + "it exists already";
        }
        if (failure instanceof FileSystemLoopException) {
            return subject + "a link leads to this folder from inside, so that it has no end; remove the link";
        }
        if (failure instanceof NotDirectoryException) {
            return subject + "not a folder";
        }
        if (failure instanceof DirectoryNotEmptyException) {
            return subject + "the folder is not empty";
        }
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }
}
